import './test-mode-mark.css';

interface Props {
  testMode: boolean;
}

/** In a row of a list: the sale was paid with test keys. Renders nothing for all others. */
export const TestModeMark = ({ testMode }: Props) =>
  testMode && <small className="test-mode-mark">Test mode</small>;
