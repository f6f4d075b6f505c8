import './pipes.test.ts';
