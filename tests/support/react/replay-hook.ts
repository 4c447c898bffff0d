import { createElement, useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

interface Props {
  steps: readonly unknown[];
  useHook: (step: unknown) => unknown;
  results: unknown[];
}

function Player({ steps, useHook, results }: Props) {
  const [at, setAt] = useState(0);
  results[at] = useHook(steps[at]);
  if (at < steps.length - 1) setAt(at + 1);
  return null;
}

/**
 * What a hook returns in one component that is rendered once for each step, without a browser: the component asks for its next render
 * while it renders, of which React allows 25. Effects do not run.
 */
export function replayHook<Step, Result>(steps: readonly Step[], useHook: (step: Step) => Result): Result[] {
  const results: Result[] = [];
  renderToStaticMarkup(createElement(Player, { steps, useHook, results } as Props));
  return results;
}
