import { showOrganization, updateOrganization } from '../../api/organizations.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { applyChange, formatChanges, isInEffect, pickShown, pickUnmet } from '../../cli/changes.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeAttributes } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { isFailure, UsageError } from '../../lib/errors.ts';
import { createOrgRecord } from '../../lib/json.ts';
import { parseAssignments, parseValues } from '../../organizations/attributes.ts';
import { UPDATED_COLUMNS } from './columns.ts';

type Change = Awaited<ReturnType<typeof readChange>>;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: UPDATED_COLUMNS,
  arguments: [
    argument('<changes...>', 'attribute=value; null clears it. `organizations show -o json` prints all', {
      complete: completeAttributes,
    }),
  ],
  examples: [
    'organizations update collaborator-auth-policy=two_factor_mandatory --all-orgs --dry-run',
    'organizations update session-timeout=60 session-remember=null --yes',
  ],
  async run(session, _options, words) {
    const texts = parseAssignments(words);
    const { values: items } = await readEachOrg(session, (org) => readChange(session, org, texts));
    await ask(session, items.filter(hasChanges), describe, (what) => `Change ${what}?`, 'organizations');
    await runBatch<Change>(session, items, {
      label: 'Changing',
      failures: [],
      columns: UPDATED_COLUMNS,
      things: ['organization', 'organizations'],
      isOne: !session.hasSeveralOrgs,
      row: ({ org, before, changes }) => ({
        organization: createOrgRecord(org),
        attributes: Object.keys(changes),
        before,
        after: session.isDryRun ? { ...before, ...changes } : null,
      }),
      act: (change) => changeOne(session, change),
      sentence: (change, { result }) => {
        const done = describe(change);
        return tell(result, { same: `${change.org} has this already`, would: `change ${done}`, done });
      },
    });
  },
});

/** Of several organizations, one that can't be read is a row too. Throws UsageError. */
async function readChange({ client, hasSeveralOrgs }: Session, org: string, texts: Map<string, string>) {
  try {
    const { attributes = {} } = await showOrganization(client, org);
    const asked = parseValues(texts, org, attributes);
    return { org, before: pickShown(attributes, asked), changes: pickUnmet(asked, attributes), error: undefined };
  } catch (error) {
    if (!hasSeveralOrgs || !isFailure(error) || error instanceof UsageError) throw error;
    return { org, before: {}, changes: {}, error };
  }
}

function hasChanges({ changes }: Change): boolean {
  return Object.keys(changes).length > 0;
}

async function changeOne({ client }: Session, change: Change) {
  const { org, before, changes, error } = change;
  if (error) throw error;
  if (!hasChanges(change)) return { result: 'unchanged', after: before };
  const read = async () => pickShown((await showOrganization(client, org)).attributes ?? {}, before);
  const done = await applyChange(changes, `${org} accepted the change`, read, (isDone) =>
    updateOrganization(client, org, changes, isDone),
  );
  if (!done) return undefined;
  const { shown: after, failure } = done;
  const isIgnored = after && isInEffect(pickShown(before, changes), after);
  return { ...(isIgnored ? { result: 'failed', changed: false } : { result: 'updated' }), after, failure };
}

/** `acme: collaborator-auth-policy password → two_factor_mandatory` */
function describe({ org, before, changes }: Change): string {
  return `${org}: ${formatChanges(changes, before)}`;
}
