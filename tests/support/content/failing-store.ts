import type { ContentStore, ContentStoreError } from '#gateways/content/port.ts';

/** A store whose calls fail with what `error` says, as long as it says something. */
export function failingStore(inner: ContentStore, error: () => ContentStoreError | null): ContentStore {
  const guarded =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    (...args: Args) => {
      const fault = error();
      return fault ? Promise.reject(fault) : work(...args);
    };
  return { ...inner, add: guarded(inner.add), remove: guarded(inner.remove), get: guarded(inner.get) };
}
