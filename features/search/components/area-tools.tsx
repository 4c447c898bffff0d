import type L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Corner, checkArea, formatArea, MAX_CORNERS } from '../drawn-area.ts';
import { type Drawing, startDrawing } from './area-drawing.ts';

interface Props {
  map: L.Map;
  /** whether the search is limited to a drawn area */
  drawn: boolean;
  drawing: boolean;
  onDrawing: (drawing: boolean) => void;
  /** the area as in the URL; undefined removes it */
  onArea: (area: string | undefined) => void;
}

/** Draws an area, draws it anew and removes it. What is wrong with an area is said, and its corners stay. */
export function AreaTools({ map, drawn, drawing, onDrawing, onArea }: Props) {
  const draw = useRef<HTMLButtonElement>(null);
  const start = () => {
    onDrawing(true);
    map.getContainer().focus({ preventScroll: true });
  };
  if (drawing) {
    return (
      <DrawingTools
        map={map}
        onArea={(area) => {
          onDrawing(false);
          onArea(area);
        }}
        onCancel={() => {
          onDrawing(false);
          requestAnimationFrame(() => draw.current?.focus({ preventScroll: true }));
        }}
      />
    );
  }
  return (
    <>
      <Button ref={draw} variant="outline" size="sm" onClick={start}>
        {drawn ? 'Draw again' : 'Draw an area'}
      </Button>
      {drawn && (
        <Button variant="outline" size="sm" onClick={() => onArea(undefined)}>
          Remove area
        </Button>
      )}
    </>
  );
}

interface DrawingProps {
  map: L.Map;
  onArea: (area: string) => void;
  onCancel: () => void;
}

function DrawingTools({ map, onArea, onCancel }: DrawingProps) {
  const [corners, setCorners] = useState<readonly Corner[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const drawing = useRef<Drawing | null>(null);
  const latest = useRef({ onArea, onCancel });
  latest.current = { onArea, onCancel };
  useEffect(() => {
    drawing.current = startDrawing(map, {
      onCorners(next) {
        setCorners(next);
        setProblem(null);
      },
      onDone(finished) {
        const reading = checkArea(finished);
        if (reading.ok) latest.current.onArea(formatArea(reading.area));
        else setProblem(reading.problem);
      },
      onCancel: () => latest.current.onCancel(),
    });
    return () => drawing.current?.stop();
  }, [map]);
  return (
    <section className="map-drawing" aria-label="Draw an area">
      <p>
        Draw a line around the area with the mouse or a finger, or press its corners one by one. By keyboard,
        move the map with the arrow keys and press Enter for each corner.
      </p>
      <p role="status">{cornersText(corners.length)}</p>
      {problem && <p role="alert">{problem}</p>}
      <p className="map-drawing-steps">
        <Button size="sm" onClick={() => drawing.current?.done()}>
          Done
        </Button>
        <Button variant="outline" size="sm" onClick={() => drawing.current?.addCenter()}>
          Add corner
        </Button>
        <Button variant="outline" size="sm" onClick={() => drawing.current?.undo()}>
          Undo
        </Button>
        <Button variant="ghost" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </p>
    </section>
  );
}

const cornersText = (count: number): string =>
  count === 0 ? 'No corners yet.' : `${count} of up to ${MAX_CORNERS} corners.`;
