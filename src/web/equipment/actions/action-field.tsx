import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../../texts.js'
import type { Act, Field } from './action.js'

const words = texts.actions

interface FieldProps {
  readonly field: Field
  readonly act: Act
  readonly isFirst: boolean
  readonly value: string
  readonly set: (value: string) => void
}

/** A value that an action needs: a text, one of several, or a file. */
export function ActionField({ field, act, isFirst, value, set }: FieldProps) {
  const { name, isOptional, isLong, isFile, choices, known, warnsIfKnown } = field
  const offered = useSignal<readonly string[]>([])
  useEffect(() => {
    // Without them the field takes whatever is typed.
    known?.(act).then(
      (found) => {
        offered.value = found
      },
      () => undefined,
    )
  }, [])
  const id = `action-${name}`
  const shared = {
    id,
    value,
    required: !isOptional,
    autofocus: isFirst,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      set(currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{words.fields[name]}</label>
      {choices ? (
        <select {...shared}>
          {choices.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      ) : isFile ? (
        <FileInput id={id} set={set} />
      ) : isLong ? (
        <textarea {...shared} class="code" rows={4} />
      ) : (
        <input {...shared} list={`${id}-known`} />
      )}
      {warnsIfKnown && offered.value.includes(value) && <p class="warning">{warnsIfKnown}</p>}
      <datalist id={`${id}-known`}>
        {offered.value.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </div>
  )
}

function FileInput({ id, set }: { readonly id: string; readonly set: (base64: string) => void }) {
  const note = useSignal('')
  const reading = useRef<FileReader | undefined>(undefined)
  const read = (file: File | undefined): void => {
    // Of two files that are chosen quickly, the last is taken.
    reading.current?.abort()
    note.value = ''
    set('')
    if (!file) return
    const reader = new FileReader()
    reading.current = reader
    reader.onerror = () => {
      note.value = words.notRead(file.name)
    }
    reader.onload = () => {
      const url = String(reader.result)
      note.value = file.size === 0 ? words.empty : words.bytes(file.size)
      set(url.slice(url.indexOf(',') + 1))
    }
    reader.readAsDataURL(file)
  }
  return (
    <>
      <input id={id} type="file" required onChange={({ currentTarget }) => read(currentTarget.files?.[0])} />
      <p class="muted">{note}</p>
    </>
  )
}
