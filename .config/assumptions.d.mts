export declare function renderAssumptions(root: string): string;
export declare function listMisplaced(root: string): readonly string[];
