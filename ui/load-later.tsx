import { type ComponentType, useEffect, useState } from 'react';

interface LoadLaterProps<Props> {
  load: () => Promise<ComponentType<Props>>;
  props: Props;
}

/** When loading is tried again after a failure: the connection is back, or someone uses the page. */
const OCCASIONS = ['online', 'pointerdown', 'keydown'] as const;

/**
 * Loads a component once the page is hydrated, and renders nothing until then: for what listens or reacts but is no part
 * of the first view.
 */
export function LoadLater<Props extends object>({ load, props }: LoadLaterProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    const attempt = () => load().then((component) => setLoaded(() => component), attemptAgain);
    const attemptAgain = () => {
      const waiting = new AbortController();
      const again = () => {
        waiting.abort();
        void attempt();
      };
      for (const event of OCCASIONS) addEventListener(event, again, { signal: waiting.signal });
    };
    void attempt();
  }, [load]);
  return Loaded && <Loaded {...props} />;
}
