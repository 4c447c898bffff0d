import { type ComponentType, useEffect, useState } from 'react';

interface LoadLaterProps<Props> {
  load: () => Promise<ComponentType<Props>>;
  props: Props;
}

/**
 * Loads a component once the page is hydrated, and renders nothing until then: for what listens or reacts but is no part
 * of the first view.
 */
export function LoadLater<Props extends object>({ load, props }: LoadLaterProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    const attempt = () =>
      load().then(
        (component) => setLoaded(() => component),
        // Without a connection it is tried again at the next click or tap.
        () => addEventListener('pointerdown', () => void attempt(), { once: true }),
      );
    void attempt();
  }, [load]);
  return Loaded && <Loaded {...props} />;
}
