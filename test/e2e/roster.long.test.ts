import './roster.test.ts';
