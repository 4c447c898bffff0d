/** Finds the wallet that a name such as name.base.eth belongs to. Throws `NameServiceError` and nothing else. */
export interface NameService {
  /** what names end with, such as '.base.eth'; null where none can be looked up */
  readonly suffix: string | null;
  /** The address with its checksum; null for a name that belongs to no one, has no address, or cannot be a name. */
  resolve(name: string): Promise<string | null>;
}

/** The names could not be asked; asking again later can succeed. */
export class NameServiceError extends Error {
  override readonly name = 'NameServiceError';
}
