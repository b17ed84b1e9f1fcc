import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Equipment } from '../../../contract/equipment.js'
import { messageEndpoints } from '../../../contract/topics/messages.js'
import { previewEndpoints } from '../../../contract/topics/preview.js'
import type { NamedValue } from '../../../contract/values.js'
import { delay, systemClock } from '../../../kit/clock.js'
import { Refused } from '../../gateway/call.js'
import type { Live } from '../../gateway/live.js'
import type { CsvColumn } from '../../parts/csv.js'
import { CsvButton } from '../../parts/csv-button.js'
import { useModal } from '../../parts/use-modal.js'
import { texts } from '../../texts.js'
import type { Act, Action, Done, Typed } from './action.js'
import { ActionField } from './action-field.js'

const words = texts.actions
/** Milliseconds without a key before the gateway is asked for a preview. */
const PREVIEW_MS = 300
const MAX_REASON = 500

interface Props {
  readonly live: Live
  readonly equipment: Equipment
  readonly action: Action
  readonly close: () => void
}

/** The request may have reached the gateway: the browser has no response, or waited for too long. */
const isConnectionLoss = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')

/** Asks for what an action needs, shows the message that will be sent, and then what came back. */
export function ActionDialog({ live, equipment, action, close }: Props) {
  const { fields = [], run, name } = action
  const dialog = useRef<HTMLDialogElement>(null)
  const typed = useSignal<Typed>(Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ''])))
  const reason = useSignal('')
  const { isBusy, problem, result, keyFor, perform } = usePerforming(live, equipment, run)
  const isReady = fields.every((field) => field.isOptional || typed.value[field.name]?.trim())
  const about = { calls: live.calls, equipment, key: '' }
  const preview = usePreview(live, about, action, isReady ? typed.value : undefined)
  useModal(dialog)
  const canSend = (): boolean =>
    !isBusy && isReady && !live.isStale.value && (!action.preview || preview.isOf(typed.value))
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // A key can come before the button is off.
    if (!canSend()) return
    const why = reason.value.trim() || undefined
    void perform({ ...about, reason: why, key: keyFor(typed.value, why) }, typed.value)
  }

  return (
    <dialog
      ref={dialog}
      class="action-dialog"
      aria-labelledby="action-heading"
      onClose={close}
      onCancel={(event) => {
        // The result would be seen by nobody.
        if (isBusy) event.preventDefault()
      }}
    >
      <form onSubmit={submit}>
        <h2 id="action-heading">{words.titleOf(words.names[name], equipment.name)}</h2>
        {fields.map((field, at) => (
          <ActionField
            key={field.name}
            field={field}
            act={about}
            isFirst={at === 0}
            value={typed.value[field.name] ?? ''}
            set={(value) => {
              typed.value = { ...typed.value, [field.name]: value }
            }}
          />
        ))}
        {name !== 'lock' && name !== 'read' && <ReasonField reason={reason} />}
        {action.preview && (
          <figure class="preview">
            <figcaption>{words.willSend}</figcaption>
            <Scrolling live>{preview.sml}</Scrolling>
            {preview.note && <p class="muted">{preview.note}</p>}
          </figure>
        )}
        {tapNote(action, equipment) && <p class="notice">{tapNote(action, equipment)}</p>}
        <p class="problem" role="alert">
          {problem || preview.problem}
        </p>
        <div role="status">{result && <Outcome live={live} {...result} />}</div>
        <div class="dialog-buttons">
          <button type="button" disabled={isBusy} onClick={close}>
            {result ? words.close : words.cancel}
          </button>
          <button type="submit" class="primary" disabled={!canSend()}>
            {isBusy ? words.busy : action.preview ? words.send : words.names[name]}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** What an action means for the host of tapped equipment. */
function tapNote({ name }: Action, { tap }: Equipment): string | undefined {
  if (!tap) return undefined
  if (name === 'disconnect') return words.tappedDisconnect(tap.host_address)
  return name === 'send' && !tap.writes ? words.tappedSend : undefined
}

function ReasonField({ reason }: { readonly reason: Signal<string> }) {
  return (
    <label class="field">
      <span>{words.reason}</span>
      <input
        value={reason.value}
        maxLength={MAX_REASON}
        onInput={({ currentTarget }) => {
          reason.value = currentTarget.value
        }}
      />
    </label>
  )
}

/** Performs the action, and reads the equipment again. */
function usePerforming(live: Live, { id }: Equipment, run: Action['run']) {
  const isBusy = useSignal(false)
  const problem = useSignal('')
  const result = useSignal<Done | undefined>(undefined)
  // Kept until the result is known, so that a repeat does nothing twice.
  const open = useRef<{ readonly request: string; readonly key: string } | undefined>(undefined)
  const keyFor = (...request: readonly unknown[]): string => {
    const text = JSON.stringify(request)
    if (open.current?.request !== text) open.current = { request: text, key: newKey() }
    return open.current.key
  }
  const perform = async (act: Act, typed: Typed): Promise<void> => {
    isBusy.value = true
    problem.value = ''
    result.value = undefined
    try {
      result.value = await run(act, typed)
      open.current = undefined
      void live.readAgain(id).catch(() => undefined)
    } catch (error) {
      const isKnown = !isConnectionLoss(error) && !(error instanceof Refused && error.status >= 500)
      if (isKnown) open.current = undefined
      problem.value = isConnectionLoss(error) ? words.unsure : texts.failed((error as Error).message)
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy: isBusy.value, problem: problem.value, result: result.value, keyFor, perform }
}

const VALUES_CSV: readonly CsvColumn<NamedValue>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['value', ({ text }) => text],
  ['unit', ({ unit }) => unit],
]

interface ScrollingProps {
  readonly children: string
  /** What changes is read aloud. */
  readonly live?: boolean
}

/** A long text, which the keyboard scrolls as well. */
const Scrolling = ({ children, live = false }: ScrollingProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  <pre tabIndex={0} aria-live={live ? 'polite' : undefined}>
    {children}
  </pre>
)

function Outcome({ live, isGood, text, detail, values, replyId }: Done & { readonly live: Live }) {
  const reply = useSignal('')
  useEffect(() => {
    if (!replyId) return
    // The result stands without it.
    live.calls.call(messageEndpoints.getMessage, { params: { id: replyId }, query: {} }).then(
      ({ sml, raw }) => {
        reply.value = sml ?? raw ?? ''
      },
      () => undefined,
    )
  }, [replyId])
  return (
    <div class="outcome">
      <b>{isGood ? words.done : words.refused}</b> <bdi>{text}</bdi>
      {detail && <Scrolling>{detail}</Scrolling>}
      {reply.value && <Scrolling>{reply.value}</Scrolling>}
      {values && <CsvButton name="values" rows={values} columns={VALUES_CSV} />}
    </div>
  )
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The messages that the gateway would send for what is typed; empty while it is asked, and where there are none. */
function usePreview(live: Live, act: Act, { preview }: Action, typed: Typed | undefined) {
  const shown = useSignal<Shown>(NOTHING)
  const { id } = act.equipment
  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    shown.value = NOTHING
    const ask = async (): Promise<void> => {
      if (!preview || !typed) return
      await delay(systemClock, PREVIEW_MS, signal)
      if (signal.aborted) return
      try {
        const { messages, note } = await preview(typed, act)
        const calls = messages.map((body) =>
          live.calls.call(previewEndpoints.previewMessage, { params: { id }, body }, signal),
        )
        const sml = (await Promise.all(calls)).map((shown) => shown.sml).join('\n\n')
        if (!signal.aborted) shown.value = { typed, sml, note, problem: '' }
      } catch (error) {
        if (!signal.aborted) shown.value = { ...NOTHING, problem: (error as Error).message }
      }
    }
    void ask()
    return () => stopped.abort()
  }, [typed, id])
  const isOf = (given: Typed): boolean => shown.value.typed === given
  return { ...(typed && isOf(typed) ? shown.value : { ...NOTHING, problem: shown.value.problem }), isOf }
}

interface Shown {
  /** What it is the message of; left out while there is none. */
  readonly typed?: Typed
  readonly sml: string
  readonly note?: string | undefined
  readonly problem: string
}

const NOTHING: Shown = { sml: '', problem: '' }
