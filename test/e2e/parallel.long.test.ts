import './parallel.test.ts';
