import { useState } from 'react';
import { paths } from '#app/paths.ts';
import { useSetWatched } from './set-watched.ts';

interface Props {
  propertyId: string;
  address: string;
  watched: boolean;
  signedIn: boolean;
}

/** The watch toggle on the picture of a property's page: answers at once, takes it back on failure (B-042). */
export function WatchButton({ propertyId, address, watched, signedIn }: Props) {
  const setWatched = useSetWatched(signedIn);
  const [pressed, setPressed] = useState(watched);
  return (
    <form
      method="post"
      action={paths.watch(propertyId)}
      onSubmit={(event) => {
        event.preventDefault();
        setPressed(!pressed);
        void setWatched(propertyId, !pressed).then((done) => done || setPressed(pressed));
      }}
    >
      <button
        type="submit"
        className="watch watch-lg"
        name="watched"
        value={pressed ? '0' : '1'}
        aria-pressed={pressed}
        aria-label={`Watch ${address}`}
      />
    </form>
  );
}
