import './tours.css';
import { FieldError } from '#ui/field.tsx';
import type { FreeDay } from '../model.ts';

interface Props {
  days: readonly FreeDay[];
  /** 'Pacific Time' */
  zoneName: string;
  /** the chosen time, ISO 8601 */
  chosen: string | undefined;
  error: string | undefined;
}

/** The free times by day, one of which is chosen. */
export function FreeTimes({ days, zoneName, chosen, error }: Props) {
  return (
    <div className="tour-days">
      <p className="hint">A tour takes half an hour. All times are {zoneName}, where the property is.</p>
      {days.map(({ day, label, times }) => (
        <fieldset key={day} className="tour-day" aria-describedby={error ? 'tour-time-error' : undefined}>
          <legend className="flabel mb-2">{label}</legend>
          <div className="tour-times">
            {times.map((time) => (
              <label key={time.at} className="tour-time">
                <input
                  type="radio"
                  name="at"
                  value={time.at}
                  defaultChecked={chosen === time.at}
                  aria-invalid={error ? true : undefined}
                />
                {time.label}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      {error && <FieldError id="tour-time-error">{error}</FieldError>}
    </div>
  );
}
