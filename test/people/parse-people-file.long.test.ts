import './parse-people-file.test.ts';
