/** Words around every form for a passkey. */
import { defineWords } from '../catalog.ts'

export const passkeyWords = defineWords(
  {
    needs: 'A passkey can be used where JavaScript is on and the browser knows passkeys.',
    failed: 'That did not work, or it was cancelled. You can try again.',
  },
  {
    needs: '使用通行密钥需要启用 JavaScript，并且浏览器支持通行密钥。',
    failed: '操作未成功或已取消。您可以重试。',
  },
)
