import { FIELD_CLASS } from "./field.tsx";

/** Words and what they are called, in the order of the list. */
export type Options = readonly (readonly [value: string, label: string])[];

/** One of several, chosen from a list that opens. */
export function Choice({
  label,
  value,
  options,
  onChoose,
  className = "",
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly onChoose: (value: string) => void;
  readonly className?: string;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      className={`${FIELD_CLASS} ${className}`}
    >
      {options.map(([word, name]) => (
        <option key={word} value={word}>
          {name}
        </option>
      ))}
    </select>
  );
}
