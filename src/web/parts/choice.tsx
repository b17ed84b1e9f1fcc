interface Props<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly value: Value
  readonly choose: (value: Value) => void
}

/** One of a few, all of them visible: radio buttons in a row. */
export function Choice<Value extends string>({ legend, name, options, value, choose }: Props<Value>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{legend}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} checked={value === option} onChange={() => choose(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
