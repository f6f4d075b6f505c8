// The part of undici that orgctl uses, from files that are private to it; its version is pinned exactly. Its index loads
// fetch, caches, mocks and more at each request.

// As its index does: a dispatcher connects through a proxy by a method that it is given here.
Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'));

module.exports = {
  Agent: require('undici/lib/dispatcher/agent'),
  Pool: require('undici/lib/dispatcher/pool'),
  // Loaded where there is a proxy.
  get EnvHttpProxyAgent() {
    return require('undici/lib/dispatcher/env-http-proxy-agent');
  },
  get ProxyAgent() {
    return require('undici/lib/dispatcher/proxy-agent');
  },
};
