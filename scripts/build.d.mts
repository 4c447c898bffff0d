export declare function isBuilt(): boolean;
export declare function build(): Promise<void>;
