import './odd-answers.test.ts';
