/** Device authorization (RFC 8628): somebody approves in a browser what a device without one asks for. */
import type { RouteRow } from '../../route.ts'

export const openDevice = (): readonly RouteRow[] => []
