import { judge } from '../evidence.ts';
import { createValueError, type Rule } from '../rule.ts';

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
      const doubts = [policy !== 'password' && describePolicy(policy), hasSso !== false && 'saml-enabled not shown'];
      const fix = isSure ? [['organizations', 'update', `collaborator-auth-policy=${MANDATORY}`]] : [];
      return { ...judge(isSure ? [`${policy}, no single sign-on`] : [], doubts, ''), fix };
    };
  },
};

function describePolicy(policy: unknown): string {
  return `collaborator-auth-policy ${typeof policy === 'string' ? `is ${policy}` : 'not shown'}`;
}
