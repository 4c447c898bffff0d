import { type ComponentType, createElement, lazy, Suspense, useDeferredValue, useMemo } from 'react';

const forever = new Promise<never>(() => undefined);

/**
 * A component whose code browsers load after the page's. Until then, and where it cannot be loaded, what the server rendered
 * stays; so it has to be of use without scripts. Such a part does not contain another one: when the codes of both arrive
 * during a transition, React now and then never hydrates the inner one.
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
  return (props: Props) => {
    // An urgent update of a boundary whose code has not arrived would empty it; a deferred one waits for the code.
    const deferred = useDeferredValue(props);
    return useMemo(
      () => <Suspense>{createElement(Loaded as ComponentType<Props>, deferred)}</Suspense>,
      [deferred],
    );
  };
}
