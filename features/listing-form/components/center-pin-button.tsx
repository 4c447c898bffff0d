import { Button } from '#ui/button.tsx';

/** Puts the pin into the middle of the map; without a handler it keeps the place of the button until the map is there. */
export function CenterPinButton({ onClick }: { onClick?: () => void }) {
  return (
    <Button variant="link" size="sm" className="pin-center needs-js" disabled={!onClick} onClick={onClick}>
      Center the pin on the map
    </Button>
  );
}
