import './rows.test.ts';
