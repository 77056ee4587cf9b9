/** Results as the API shows them, with the keys that Proxmox Backup Server uses. */
@NullMarked
package dev.holdfast.api.status;

import org.jspecify.annotations.NullMarked;
