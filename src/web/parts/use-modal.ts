import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Opens a dialog before the next key is pressed, which would be a shortcut of the page. */
export const useModal = (dialog: RefObject<HTMLDialogElement | null>): void =>
  useLayoutEffect(() => dialog.current?.showModal(), [])
