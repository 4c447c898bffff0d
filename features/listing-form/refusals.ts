class Undone extends Error {
  readonly refusal: unknown;
  constructor(refusal: unknown) {
    super('The form was refused');
    this.refusal = refusal;
  }
}

/** Ends the work with this result, undoing the transaction in which it is called. */
export type Refuse<Result> = (refusal: Result) => never;

/** Runs work that may turn out to be refused in the middle of its transaction, and returns that refusal as its result. */
export async function withRefusals<Result>(
  work: (refuse: Refuse<Result>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work((refusal) => {
      throw new Undone(refusal);
    });
  } catch (error) {
    if (error instanceof Undone) return error.refusal as Result;
    throw error;
  }
}
