import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Alarm, alarmEndpoints } from '../../contract/topics/alarms.js'
import type { Live } from '../gateway/live.js'
import { useModal } from '../parts/use-modal.js'
import { texts } from '../texts.js'

const words = texts.alarms
/** Alarms that one call takes. */
const MAX_IDS = 1000
const MAX_COMMENT = 1024
const NAMED = 5

interface Props {
  readonly live: Live
  /** Those to acknowledge; the dialog is open while there are some. */
  readonly alarms: readonly Alarm[]
  /** Called at the end, with what was done in words; without it where nothing was done. */
  readonly close: (result?: string) => void
}

/** Asks for a comment and acknowledges. */
export function AcknowledgeDialog({ live, alarms, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  useModal(dialog)

  const acknowledge = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const comment = String(new FormData(event.currentTarget as HTMLFormElement).get('comment') ?? '').trim()
    isBusy.value = true
    problem.value = ''
    let [done, before] = [0, 0]
    try {
      const ids = alarms.map(({ id }) => id)
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        const body = { ids: ids.slice(at, at + MAX_IDS), ...(comment && { comment }) }
        const { items } = await live.calls.call(alarmEndpoints.acknowledgeAlarms, { body })
        for (const { result, alarm } of items) {
          if (result === 'acknowledged') done++
          if (result === 'already_acknowledged') before++
          if (alarm) live.putAlarm(alarm)
        }
      }
      close(words.result(done, before))
    } catch (error) {
      problem.value = texts.failed((error as Error).message)
    } finally {
      isBusy.value = false
    }
  }

  return (
    <dialog ref={dialog} aria-labelledby="acknowledge-heading" onClose={() => close()}>
      <form onSubmit={acknowledge}>
        <h2 id="acknowledge-heading">{words.acknowledgeThese(alarms.length)}</h2>
        <ul class="dialog-list">
          {alarms.slice(0, NAMED).map(({ id, equipment_name, text }) => (
            <li key={id}>
              <b>{equipment_name}</b> {text}
            </li>
          ))}
          {alarms.length > NAMED && <li class="muted">{words.andMore(alarms.length - NAMED)}</li>}
        </ul>
        <label class="field">
          <span>{words.comment}</span>
          <textarea name="comment" rows={3} maxLength={MAX_COMMENT} autofocus />
        </label>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="dialog-buttons">
          <button type="button" onClick={() => close()}>
            {words.cancel}
          </button>
          <button type="submit" class="primary" disabled={isBusy.value || live.isStale.value}>
            {words.acknowledge}
          </button>
        </div>
      </form>
    </dialog>
  )
}
