import type { ReactNode } from 'react';

/** Label and hint beside a checkbox, radio button or switch; clicking any of it toggles the control. */
export function ChoiceLabel({
  input,
  label,
  hint,
}: {
  input: ReactNode;
  label: ReactNode;
  hint?: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed in as `input`
    <label className="option">
      {input}
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}
