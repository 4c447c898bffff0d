/** The folder for the databases of tests, in memory where there is enough of it. */
export function memoryFolder(): string;
