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

// V8 would optimise undici's parser, which delays the end of the process, and keep the garbage of many pages: 230 MiB in place
// of 140 for 100,000 rows. After a change of its flags V8 compiles Node's own modules anew, so those of undici come first.
for (const flag of ['--liftoff-only', '--semi-space-growth-factor=1']) require('node:v8').setFlagsFromString(flag);
