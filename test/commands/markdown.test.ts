import { test } from 'vitest';
import { transcript } from '../support/transcript.ts';

test('lists and single things have the columns and lines that people read, however wide', () =>
  transcript()`
    $ members list --status invited -o markdown
    | EMAIL | STATUS | INVITED | TEAMS | ID |
    | --- | --- | --- | --- | --- |
    | ivan.invitee@example.com | invited | 2026-09-27 09:00 UTC | platform | ou-ivan |
    $ members show ada-auditor -o markdown
    | FIELD | VALUE |
    | --- | --- |
    | Email | ada.auditor@example.com |
    | User | ada-auditor |
    | Status | active |
    | Teams | audit |
    | Organization | acme |
    | Two-factor | off |
    | Added | 2026-09-26 09:00 UTC |
    | ID | ou-ada |
    $ teams list --fields visibility,name --limit 1 -o markdown
    | VISIBILITY | TEAM |
    | --- | --- |
    | organization | owners |
    $ members list --search nobody -o markdown
    No members match.
  `);

test('an empty list is a sentence, so that a summary of a step shows something', () =>
  transcript({ stdin: 'members: [ada.auditor@example.com]\n' })`
    $ providers list --search nosuch -o markdown --fields name
    No providers.
    $ members apply --file - --dry-run -o markdown
    Nothing to do.
    ! Left as they are: 5 not in the roster (--prune removes them).
    ! Nothing to do.
  `);

test('results have what programs get, without columns that are empty', () =>
  transcript()`
    $ members invite new@example.com ada.auditor@example.com --team platform -o markdown
    | RESULT | EMAIL | ORGANIZATION | ID | TEAMS | TEAMS-MISSING |
    | --- | --- | --- | --- | --- | --- |
    | invited | new@example.com | acme | ou-1 | platform |  |
    | unchanged | ada.auditor@example.com | acme | ou-ada | audit | platform |
    ! orgctl: ada.auditor@example.com is already a member, but is not in platform
    !   → An invitation can't change teams. Use teams add.
    > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
    = 13
    $ providers create hashicorp/google -o markdown
    | RESULT | ADDRESS | ID |
    | --- | --- | --- |
    | created | public/hashicorp/google | prov-1 |
    > POST /organizations/acme/registry-providers {"data":{"type":"registry-providers","attributes":{"name":"google","namespace":"hashicorp","registry-name":"public"}}}
  `);
