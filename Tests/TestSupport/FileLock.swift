import Foundation

/// Releases the `flock` lock of an open file, and closes it.
///
/// Closing alone does not release the lock if a process that another test starts at this moment has inherited the file.
public func releaseLock(of descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
}
