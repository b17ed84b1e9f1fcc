import { Choice } from '../../parts/choice.js'
import { addressTime, localTime } from '../../parts/local-time.js'
import { setQuery } from '../../shell/router.js'
import { texts } from '../../texts.js'
import { DIRECTIONS, type MessageFilter, SENDERS } from './message-filter.js'

const words = texts.messages
const NONE = { message: '', direction: '', after: '', before: '', errors: '' }

interface TimeProps {
  /** The parameter of the address. */
  readonly name: 'after' | 'before'
  readonly at: number | undefined
}

const TimeField = ({ name, at }: TimeProps) => (
  <label class="inline-field">
    <span>{words[name]}</span>
    <input
      type="datetime-local"
      value={at === undefined ? '' : localTime(at)}
      onChange={({ currentTarget }) => setQuery({ [name]: addressTime(currentTarget.value) })}
    />
  </label>
)

const Flag = ({
  name,
  text,
  isOn,
}: {
  readonly name: string
  readonly text: string
  readonly isOn: boolean
}) => (
  <label class="inline-field">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.checked ? '1' : '' })}
    />
    <span>{text}</span>
  </label>
)

/** What narrows the messages; all of it is in the address. */
export function MessageFilters({
  filter,
  isTapped,
}: {
  readonly filter: MessageFilter
  readonly isTapped: boolean
}) {
  const options = isTapped
    ? SENDERS.map((one) => [one, words.senders[one]] as const)
    : DIRECTIONS.map((one) => [one, words.directions[one]] as const)
  return (
    <fieldset class="message-filters">
      <legend class="unseen">{words.filters}</legend>
      <label class="inline-field">
        <span>{words.message}</span>
        <input
          type="text"
          size={10}
          placeholder={words.example}
          spellcheck={false}
          aria-invalid={filter.isBad}
          value={filter.message}
          onChange={({ currentTarget }) => setQuery({ message: currentTarget.value.trim() })}
        />
      </label>
      <Choice
        legend={isTapped ? words.sender : words.direction}
        name="direction"
        options={options}
        value={filter.direction}
        choose={(one) => setQuery({ direction: one === 'all' ? '' : one })}
      />
      <TimeField name="after" at={filter.after} />
      <TimeField name="before" at={filter.before} />
      <Flag name="errors" text={words.errors} isOn={filter.onlyErrors} />
      <Flag name="sml" text={words.sml} isOn={filter.showsSml} />
      <Flag name="ladder" text={words.ladder} isOn={filter.isLadder} />
      {filter.isSet && (
        <button type="button" onClick={() => setQuery(NONE)}>
          {words.clear}
        </button>
      )}
    </fieldset>
  )
}
