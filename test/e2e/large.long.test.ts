import './large.test.ts';
