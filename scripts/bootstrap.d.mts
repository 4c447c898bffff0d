export declare const root: string;
export declare function bootstrap(script: string): Promise<void>;
export declare function isInstalled(folder?: string): boolean;
