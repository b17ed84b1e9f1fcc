import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { shelvingEndpoints } from '../../contract/topics/alarm-shelving.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Live } from '../gateway/live.js'
import { useModal } from '../parts/use-modal.js'
import { may } from '../shell/session.js'
import { texts } from '../texts.js'

const words = texts.shelving
const MAX_REASON = 200
const HOUR = 3600

const paramsOf = ({ equipment_id, alid }: Alarm) => ({ id: equipment_id, alid })
const failureOf = (error: unknown): string => texts.failed((error as Error).message)

/** What may be done about the shelf of an alarm; undefined for those who may not shelve. */
export interface Shelving {
  readonly shelve: (alarm: Alarm) => void
  readonly unshelve: (alarm: Alarm) => void
}

/** Shelves alarms of a list, and the dialog that asks how long and why. */
export function useShelving(live: Live) {
  const asked = useSignal<Alarm | undefined>(undefined)
  const problem = useSignal('')
  const unshelve = (alarm: Alarm): void => {
    problem.value = ''
    live.calls
      .call(shelvingEndpoints.unshelveAlarm, { params: paramsOf(alarm) })
      .catch((error: unknown) => (problem.value = failureOf(error)))
  }
  const shelve = (alarm: Alarm): void => {
    problem.value = ''
    asked.value = alarm
  }
  return {
    shelving: may('operator') && !live.isStale.value ? { shelve, unshelve } : undefined,
    /** Why the last attempt to unshelve failed. */
    shelvingProblem: problem.value,
    shelfDialog: asked.value && (
      <ShelfDialog live={live} alarm={asked.value} close={() => (asked.value = undefined)} />
    ),
  }
}

interface Props {
  readonly live: Live
  readonly alarm: Alarm
  readonly close: () => void
}

/** Asks for how long and why, and shelves. The list changes with the event. */
function ShelfDialog({ live, alarm, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const isSafety = alarm.severity === 'personal_safety'
  useModal(dialog)

  const shelve = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    isBusy.value = true
    problem.value = ''
    try {
      const body = {
        for_seconds: Number(given.get('hours')) * HOUR,
        reason: String(given.get('reason')).trim(),
        ...(isSafety && { personal_safety: true }),
      }
      await live.calls.call(shelvingEndpoints.shelveAlarm, { params: paramsOf(alarm), body })
      close()
    } catch (error) {
      problem.value = failureOf(error)
    } finally {
      isBusy.value = false
    }
  }

  return (
    <dialog ref={dialog} aria-labelledby="shelf-heading" onClose={close}>
      <form onSubmit={shelve}>
        <h2 id="shelf-heading">{words.heading}</h2>
        <p>
          <b>{alarm.equipment_name ?? alarm.equipment_id}</b> {alarm.text || alarm.alid}
        </p>
        <p class="muted">{words.meaning}</p>
        <label class="field">
          <span>{words.howLong}</span>
          <select name="hours">
            {words.times.map(([hours, text]) => (
              <option key={hours} value={hours} selected={hours === 2}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{words.reason}</span>
          <input type="text" name="reason" required maxLength={MAX_REASON} pattern=".*\S.*" autofocus />
        </label>
        {isSafety && (
          <label class="notice">
            <input type="checkbox" required /> {words.personalSafety}
          </label>
        )}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="dialog-buttons">
          <button type="button" onClick={close}>
            {texts.alarms.cancel}
          </button>
          <button type="submit" class="primary" disabled={isBusy.value || live.isStale.value}>
            {words.shelve}
          </button>
        </div>
      </form>
    </dialog>
  )
}
