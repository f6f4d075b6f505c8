import { isObject } from '../../lib/json.ts';
import { createValueError, judge, type Rule } from '../evidence.ts';

const MANDATORY = 'two_factor_mandatory';

export const twoFactorRequired: Rule = {
  failsWhen: 'neither a second factor nor single sign-on is required',
  initial: true,
  prepare(value) {
    if (value !== true) throw createValueError('true or off', value);
    return async ({ attributes: { 'collaborator-auth-policy': policy, 'saml-enabled': hasSso } }) => {
      if (policy === MANDATORY) return { status: 'ok', found: [MANDATORY] };
      if (hasSso === true) return { status: 'ok', found: ['single sign-on'] };
      const isSure = policy === 'password' && hasSso === false;
      const shown = typeof policy === 'string' ? `is ${policy}` : 'not shown';
      const doubts = [
        policy !== 'password' && `collaborator-auth-policy ${shown}`,
        hasSso !== false && 'saml-enabled not shown',
      ];
      const fix = isSure ? [['organizations', 'update', `collaborator-auth-policy=${MANDATORY}`]] : [];
      return { ...judge(isSure ? [`${policy}, no single sign-on`] : [], doubts, ''), fix };
    };
  },
};

export const settings: Rule = {
  failsWhen: 'an attribute of the organization has another value than here',
  initial: {},
  prepare(value) {
    const expected = isObject(value) ? Object.entries(value) : undefined;
    if (!expected || expected.some(([, one]) => isNested(one))) throw createValueError('attributes and values', value);
    return async ({ attributes }) => {
      if (expected.length === 0) return { status: 'off', found: [] };
      const wrong: string[] = [];
      const hidden: string[] = [];
      const changes: string[] = [];
      for (const [name, one] of expected) {
        const shown = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
        if (shown === undefined) hidden.push(`${name} not shown`);
        else if (isNested(shown) || String(shown) !== String(one)) {
          wrong.push(`${name} is ${JSON.stringify(shown)}`);
          // `organizations update` takes no others.
          if (name !== 'name' && !isNested(shown)) changes.push(`${name}=${one}`);
        }
      }
      const fix = changes.length > 0 ? [['organizations', 'update', ...changes]] : [];
      return { ...judge(wrong, hidden, 'as expected'), fix };
    };
  },
};

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
