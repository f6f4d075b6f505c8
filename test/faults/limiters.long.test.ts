import './limiters.test.ts';
