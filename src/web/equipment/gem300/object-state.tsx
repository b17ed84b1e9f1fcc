import { Fragment } from 'preact'
import type { KnownObject } from '../../../contract/topics/gem300/mapping.js'
import { texts } from '../../texts.js'

const words = texts.gem300

type Tone = 'good' | 'wait' | 'bad'

/** How urgent a state is, for its colour beside its word. States that are not here are quiet. */
const TONES: ReadonlyMap<string, Tone> = new Map([
  ['READY_TO_LOAD', 'good'],
  ['READY_TO_UNLOAD', 'good'],
  ['PROCESSING', 'good'],
  ['EXECUTING', 'good'],
  ['IN_ACCESS', 'good'],
  ['CARRIER_COMPLETE', 'good'],
  ['PROCESS_COMPLETE', 'good'],
  ['COMPLETED', 'good'],
  ['WAITING_FOR_HOST', 'wait'],
  ['WAITING_FOR_START', 'wait'],
  ['PAUSING', 'wait'],
  ['PAUSED', 'wait'],
  ['OUT_OF_SERVICE', 'bad'],
  ['ID_VERIFICATION_FAILED', 'bad'],
  ['SLOT_MAP_VERIFICATION_FAILED', 'bad'],
  ['CARRIER_STOPPED', 'bad'],
  ['STOPPING', 'bad'],
  ['ABORTING', 'bad'],
  ['STOPPED', 'bad'],
  ['ABORTED', 'bad'],
])

const clock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A word such as `SLOT_MAP_NOT_READ`, which may break after its parts. */
const Word = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(?<=_)/).map((part, at) => (
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
)

/** A state of an object as its word, with the time and the source of it on hover; a dash where nobody has told it. */
export function ObjectState({ object, name }: { readonly object: KnownObject; readonly name: string }) {
  const known = object.states[name]
  if (!known) return <span class="muted">{words.notTold}</span>
  const { state, source, since, object_has } = known
  return (
    <>
      <span
        class={`few-lines object-state object-${TONES.get(state) ?? 'quiet'}`}
        title={words.since(state, clock.format(new Date(since)), source)}
      >
        <Word text={state} />
      </span>
      {object_has !== undefined && <small class="few-lines object-has">{words.objectHas(object_has)}</small>}
    </>
  )
}
