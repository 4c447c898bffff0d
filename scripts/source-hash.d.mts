export declare function sourceHash(root: string): string;
