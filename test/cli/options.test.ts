import { Command } from 'commander';
import { expect, test } from 'vitest';
import { argument } from '../../src/cli/options.ts';

test('each word of an argument is parsed, and checked', () => {
  const numbers = argument('<numbers...>', 'whole numbers', { parse: Number });
  const values: (typeof numbers.value)[] = [];
  const command = new Command().addArgument(numbers).action((given) => void values.push(given));
  command.parse(['1', '2'], { from: 'user' });
  expect(values).toEqual([[1, 2] satisfies (typeof values)[0]]);
  const colors = new Command().addArgument(argument('<colors...>', 'names', { choices: ['red', 'blue'] }));
  expect(() => colors.parse(['red', 'green'], { from: 'user' })).toThrow("colors must be red or blue, not 'green'");
});
