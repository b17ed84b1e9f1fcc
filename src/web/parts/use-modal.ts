import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Opens a dialog before the next key is pressed, which would be a shortcut of the page. At its end the focus is where it
 * was: a dialog that is removed without being closed loses it.
 */
export const useModal = (dialog: RefObject<HTMLDialogElement | null>): void =>
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => {
      // The event of the end comes later, and its handler would close the dialog that is open by then.
      current?.addEventListener('close', (event) => event.stopImmediatePropagation(), { capture: true })
      current?.close()
    }
  }, [])
