import './steps.test.ts';
