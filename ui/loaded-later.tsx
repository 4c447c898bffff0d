import { type ComponentType, createElement, lazy, Suspense } from 'react';

const forever = new Promise<never>(() => undefined);

/**
 * A component whose code browsers load after the page's. Until then, and where it cannot be loaded, what the server rendered
 * stays; so it has to be of use without scripts.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => forever,
    ),
  );
  return (props: Props) => <Suspense>{createElement(Loaded as ComponentType<Props>, props)}</Suspense>;
}
