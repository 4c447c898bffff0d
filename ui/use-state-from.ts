import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * State that starts from a prop, or from something else at first, and starts again from the prop whenever the prop changes. It is set
 * while rendering: an effect would run after the first clicks of a page that is just being hydrated, and take back what they did.
 */
export function useStateFrom<T>(prop: T, initial: T = prop): [T, Dispatch<SetStateAction<T>>] {
  const [from, setFrom] = useState(prop);
  const [state, setState] = useState(initial);
  if (!Object.is(from, prop)) {
    setFrom(() => prop);
    setState(() => prop);
  }
  return [state, setState];
}
