import './first-at-once.test.ts';
