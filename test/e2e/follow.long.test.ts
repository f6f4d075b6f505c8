import './follow.test.ts';
