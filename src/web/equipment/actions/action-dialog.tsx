import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Equipment } from '../../../contract/equipment.js'
import { commandEndpoints } from '../../../contract/topics/commands.js'
import { delay, systemClock } from '../../../kit/clock.js'
import type { Live } from '../../gateway/live.js'
import { texts } from '../../texts.js'
import type { Act, Action, Done, Field, Typed } from './actions.js'

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

const reasonOf = (error: unknown): string =>
  error instanceof TypeError ? texts.unreachable : (error as Error).message

/** Asks for what an action needs, shows the message that will be sent, and then what came back. */
export function ActionDialog({ live, equipment, action, close }: Props) {
  const { fields = [], run, name } = action
  const dialog = useRef<HTMLDialogElement>(null)
  const typed = useSignal<Typed>(Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ''])))
  const reason = useSignal('')
  const { isBusy, problem, result, perform } = usePerforming(live, equipment, run)
  const isReady = fields.every((field) => field.isOptional || typed.value[field.name]?.trim())
  const preview = usePreview(live, equipment, action, isReady ? typed.value : undefined)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const act: Act = { calls: live.calls, equipment, reason: reason.value.trim() || undefined }

  return (
    <dialog ref={dialog} class="action-dialog" aria-labelledby="action-heading" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void perform(act, typed.value)
        }}
      >
        <h2 id="action-heading">{words.titleOf(words.names[name], equipment.name)}</h2>
        {fields.map((field, at) => (
          <ActionField
            key={field.name}
            field={field}
            act={act}
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
            <pre aria-live="polite">{preview.sml}</pre>
          </figure>
        )}
        <p class="problem" role="alert">
          {problem || preview.problem}
        </p>
        <div role="status">{result && <Outcome {...result} />}</div>
        <div class="dialog-buttons">
          <button type="button" onClick={close}>
            {result ? words.close : words.cancel}
          </button>
          <button
            type="submit"
            class="primary"
            disabled={isBusy || !isReady || (action.preview !== undefined && preview.sml === '')}
          >
            {isBusy ? words.busy : action.preview ? words.send : words.names[name]}
          </button>
        </div>
      </form>
    </dialog>
  )
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
  const perform = async (act: Act, typed: Typed): Promise<void> => {
    isBusy.value = true
    problem.value = ''
    result.value = undefined
    try {
      result.value = await run(act, typed)
      await live.readAgain(id).catch(() => undefined)
    } catch (error) {
      problem.value = texts.failed(reasonOf(error))
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy: isBusy.value, problem: problem.value, result: result.value, perform }
}

function Outcome({ isGood, text, detail }: Done) {
  return (
    <div class="outcome">
      <b>{isGood ? words.done : words.refused}</b> {text}
      {detail && <pre>{detail}</pre>}
    </div>
  )
}

/** The message that the gateway would send; empty while it is asked, and where there is none. */
function usePreview(live: Live, equipment: Equipment, { preview }: Action, typed: Typed | undefined) {
  const shown = useSignal({ sml: '', problem: '' })
  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    shown.value = { sml: '', problem: '' }
    const ask = async (): Promise<void> => {
      if (!preview || !typed) return
      await delay(systemClock, PREVIEW_MS, signal)
      if (signal.aborted) return
      try {
        const call = { params: { id: equipment.id }, body: preview(typed) }
        const { sml } = await live.calls.call(commandEndpoints.previewMessage, call, signal)
        if (!signal.aborted) shown.value = { sml, problem: '' }
      } catch (error) {
        if (!signal.aborted) shown.value = { sml: '', problem: reasonOf(error) }
      }
    }
    void ask()
    return () => stopped.abort()
  }, [typed, equipment.id])
  return shown.value
}

interface FieldProps {
  readonly field: Field
  readonly act: Act
  readonly isFirst: boolean
  readonly value: string
  readonly set: (value: string) => void
}

function ActionField({ field: { name, isOptional, isLong, known }, act, isFirst, value, set }: FieldProps) {
  const choices = useSignal<readonly string[]>([])
  useEffect(() => {
    // Without them the field takes whatever is typed.
    known?.(act).then(
      (found) => {
        choices.value = found
      },
      () => undefined,
    )
  }, [])
  const shared = {
    value,
    required: !isOptional,
    autofocus: isFirst,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      set(currentTarget.value),
  }
  const id = `action-${name}`
  return (
    <div class="field">
      <label for={id}>{words.fields[name]}</label>
      {isLong ? (
        <textarea {...shared} id={id} class="code" rows={4} />
      ) : (
        <input {...shared} id={id} list={`${id}-known`} />
      )}
      <datalist id={`${id}-known`}>
        {choices.value.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </div>
  )
}
