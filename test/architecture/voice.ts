import { isNode, type Node, parse, walk } from './sources.ts';

/** How orgctl speaks: what can be told of it by reading the source. `findOffences` is the judge. */

/** Words that do not belong in what a person is told, and why. */
const WORDS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bplease\b|\bsorry\b|\boops\b/i, 'plain words, without begging or excuses'],
  [/[a-z]!(?:\s|$)/i, 'no exclamation marks'],
  [/\b(?:illegal|invalid|wrongly|you must|you should|you failed)\b/i, 'no blame: say what is so, and what to do'],
  [/’/, "an apostrophe is '"],
  [/\b(?:un)?(?:tell(?:s|ing)?|told)\b/i, 'say, report, show, print; unknown'],
  [/\b(?:whoever|somebody|someone else|everybody|nobody)\b/i, 'you, people, everyone, no one'],
  [/\b(?:anew|afresh|as new)\b/i, 'again, start over'],
  [/\bmend(?:s|ed)?\b/i, 'fix'],
  [/\b(?:in force|the present token|user of th(?:is|e) token)\b/i, 'current; you, your token'],
  [/\bmake-believe\b/i, 'sandbox'],
  [/\b(?:is|are) to (?:be|stand|live|hold|go)\b/i, 'say what it does'],
  [/\b(?:may not(?! exist)|is able to|has to be|cannot)\b/i, "can, can't; you don't have permission"],
  [/\b(?:tak(?:e|es|en|ing)|took) (?:it |them |the \w+ )?back\b/i, 'revoke, remove'],
  [/\bmade (?:again|once more)\b/i, 'create'],
  [/\bexclude each other\b/i, 'use A or B, not both'],
  [/\bwithout an end\b/i, 'never expires'],
  [/\b(?:who runs the service|its own words)\b/i, 'the operator; the service says'],
  [/\bstopped by SIG/, 'Interrupted'],
  [/\bcould mean\b/i, 'matches'],
  [/\banswer(?:s|ed)? beforehand|ask anything\b/i, 'skip, prompt'],
  [/\b(?:e-mail|directory|login name)\b/i, 'one word for one thing: email, folder, user name'],
  [/(?<!there )\bis no (?:JSON|roster|plan|seed|list|array|object|file|setting)\b/, 'is not a …'],
  [/\bFor example [^:]/, 'For example: …'],
  [/\d\}? (?:seconds|minutes|hours)/, 'units are ms, s, min and h'],
];

/** Errors, and which of their arguments says what to do. */
const ERRORS: Readonly<Record<string, number>> = { UsageError: 1, OrgctlError: 2, ConnectionError: 4 };

/** Who pressed Ctrl-C or said no knows what to do; a place that did not get the secret is part of an error that says it. */
const ENDS = /^new OrgctlError\((?:'interrupted'|'cancelled'|EXITS\[name\]|'not-delivered', `not delivered to)/;

/** Every sentence that breaks a rule, as `file: sentence: why`. `files` maps a path to its text. */
export function findOffences(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const found: string[] = [];
    walk(parse(path, text).program, (node) => {
      found.push(...judge(node, text).map((offence) => `${path}: ${offence}`));
      return node.type !== 'ImportDeclaration' && node.type !== 'ImportExpression';
    });
    return found;
  });
}

function judge(node: Node, text: string): readonly string[] {
  const sentence = toSentence(node, text);
  return [
    ...(sentence === undefined ? [] : judgeWords(sentence)),
    ...(node.type === 'NewExpression' ? judgeError(node, text) : []),
    ...(node.type === 'Property' ? judgeHint(node, text) : []),
  ];
}

/** Every sentence of a document for users that breaks a rule. */
export function findOffencesInDocument(markdown: string): readonly string[] {
  const texts = markdown.replace(/^```[\s\S]*?^```$/gm, '').split(/\n\n|\n(?=[-|])/);
  return texts.flatMap((text) => judgeWords(text.replace(/\s+/g, ' ')));
}

/** What a person reads: a text with a space in it. */
function toSentence(node: Node, text: string): string | undefined {
  const isText = node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
  if (!isText) return undefined;
  const sentence = text.slice(node.start + 1, node.end - 1).replaceAll("\\'", "'");
  return /[a-z]{2} \S/i.test(sentence) ? sentence : undefined;
}

function judgeWords(sentence: string): readonly string[] {
  // What stands between ${ and } is code, and a line that begins with $ or # is for a shell.
  const read = sentence.replace(/\$\{[^{}]*\}/g, '1}');
  return WORDS.filter(([pattern]) => pattern.test(read)).map(([, why]) => `${sentence.slice(0, 120)}: ${why}`);
}

function judgeError(node: Node, text: string): readonly string[] {
  const name = isNode(node['callee']) ? String(node['callee']['name']) : '';
  const index = ERRORS[name];
  if (index === undefined || ENDS.test(text.slice(node.start, node.end))) return [];
  const parts = node['arguments'] as readonly Node[];
  const message = parts.slice(0, index).findLast((part) => toSentence(part, text) !== undefined);
  const first = message === undefined ? '' : text.slice(message.start + 1, message.end - 1);
  if (/^[A-Z][a-z]|\.$/.test(first)) return [`${first}: what failed is told in small letters, without a full stop`];
  const details = parts[index];
  const told = `${name} ${text.slice(node.start, node.end).replace(/\s+/g, ' ').slice(0, 120)}`;
  if (details === undefined) return [`${told}: it ends without what to do next`];
  // Details that are made elsewhere are judged there.
  if (details.type !== 'ObjectExpression') return [];
  const members = details['properties'] as readonly Node[];
  const says = members.some(
    (member) =>
      member.type === 'SpreadElement' || (isNode(member['key']) && /^(hint|next)$/.test(String(member['key']['name']))),
  );
  return says ? [] : [`${told}: it ends without what to do next`];
}

/** A hint is a sentence with its end, or leads to what can be pasted. */
function judgeHint(node: Node, text: string): readonly string[] {
  if (!isNode(node['key']) || node['key']['name'] !== 'hint' || !isNode(node['value'])) return [];
  const hint = toSentence(node['value'], text);
  if (hint !== undefined && /^(?!orgctl )[a-z]/.test(hint)) return [`${hint}: a hint begins with a capital letter`];
  if (hint === undefined || /[.?:]$|: \S.*$|\$\{\w+\}$/.test(hint)) return [];
  return [`${hint}: a hint ends in a full stop, or after a colon in what can be pasted`];
}

/**
 * Words of which nobody outside this project would know what they stand for, in names and comments. What users read and
 * what is stored keeps its words.
 */
const PRIVATE_WORDS =
  /\b(?:tell(?:s|ing)?|told|untold|whoever|nobody|doors?|doorkeeper|wings?|manners?|mint(?:s|ed|ing)?|former|due|mend(?:s|ed|ing)?|afresh|in force|doubtful)\b/i;

/** Names of members that stand in files of earlier versions. */
const STORED = new Set(['doubtful', 'lost', 'minted', 'minting', 'mintingSince']);

/** Every name and comment with such a word, as `file: name`. */
export function findPrivateWords(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const { program, comments } = parse(path, text);
    const found = new Set(comments.map(({ value }) => value).filter((value) => PRIVATE_WORDS.test(value)));
    walk(program, (node) => {
      const name = node.type === 'Identifier' ? String(node['name']) : '';
      const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
      if (!STORED.has(name) && (PRIVATE_WORDS.test(words) || /\blost\b/i.test(words))) found.add(name);
    });
    return [...found].map((each) => `${path}: ${each.replace(/\s+/g, ' ').trim().slice(0, 160)}`);
  });
}
