import './purity.test.ts';
