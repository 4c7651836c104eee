//! The calls of Windows that the standard library lacks: jobs, suspended processes, what waits in a pipe, the
//! end of a console, files' numbers.
#![allow(unsafe_code)]

use std::fs::{File, TryLockError};
use std::io;
use std::mem::zeroed;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;
use windows_sys::Win32::Foundation::{
    ERROR_LOCK_VIOLATION, FALSE, HANDLE, INVALID_HANDLE_VALUE, TRUE,
};
use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, GetDiskFreeSpaceExW, GetFileInformationByHandle,
    LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::JobObjects as job;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SUSPEND_RESUME,
};

#[link(name = "ntdll")]
unsafe extern "system" {
    fn NtSuspendProcess(process: HANDLE) -> i32;
    fn NtResumeProcess(process: HANDLE) -> i32;
}

/// A group of processes that ends with this value.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

fn done(result: i32) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just given it to this caller alone.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// How many processes of a job are listed at most.
const MOST: usize = 1000;

impl Job {
    /// A new job whose processes together may commit this many bytes.
    pub(super) fn new(memory: Option<u64>) -> io::Result<Job> {
        // SAFETY: it has no attributes and no name.
        let handle = owned(unsafe { job::CreateJobObjectW(null(), null()) })?;
        // SAFETY: the structure is numbers that may all be 0, and is given with its size.
        unsafe {
            let mut limits: job::JOBOBJECT_EXTENDED_LIMIT_INFORMATION = zeroed();
            let flags = &mut limits.BasicLimitInformation.LimitFlags;
            // A crash ends a process at once: no dialogue waits for an answer.
            *flags = job::JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
                | job::JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
            if let Some(memory) = memory {
                *flags |= job::JOB_OBJECT_LIMIT_JOB_MEMORY;
                limits.JobMemoryLimit = memory as usize;
            }
            done(job::SetInformationJobObject(
                handle.as_raw_handle(),
                job::JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            ))?;
        }
        Ok(Job(handle))
    }

    /// A new job of this process, and so of all that it starts from now on.
    pub(super) fn of_this_process() -> io::Result<Job> {
        let job = Job::new(None)?;
        // SAFETY: the job is open, and this process is there.
        done(unsafe { job::AssignProcessToJobObject(job.0.as_raw_handle(), GetCurrentProcess()) })?;
        Ok(job)
    }

    /// Takes in a process, with all that it will start.
    pub(super) fn add(&self, process: &impl AsRawHandle) -> io::Result<()> {
        // SAFETY: both are open.
        done(unsafe {
            job::AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle())
        })
    }

    /// Ends all processes, without waiting.
    pub(super) fn end(&self) {
        // SAFETY: it is open.
        let _ = unsafe { job::TerminateJobObject(self.0.as_raw_handle(), 1) };
    }

    fn query<T>(&self, class: i32) -> io::Result<T> {
        // SAFETY: `T` is the structure of this class, numbers that may all be 0, and is given with its size.
        unsafe {
            let mut found: T = zeroed();
            done(job::QueryInformationJobObject(
                self.0.as_raw_handle(),
                class,
                (&raw mut found).cast(),
                size_of::<T>() as u32,
                null_mut(),
            ))?;
            Ok(found)
        }
    }

    /// The processor time of all its processes so far, also of those that have ended.
    pub(super) fn processor_time(&self) -> io::Result<Duration> {
        let times: job::JOBOBJECT_BASIC_ACCOUNTING_INFORMATION =
            self.query(job::JobObjectBasicAccountingInformation)?;
        // In units of 100 ns.
        let units = times.TotalUserTime + times.TotalKernelTime;
        Ok(Duration::from_nanos(units.unsigned_abs() * 100))
    }

    /// The most bytes that its processes have committed at once.
    pub(super) fn peak_memory(&self) -> io::Result<u64> {
        let limits: job::JOBOBJECT_EXTENDED_LIMIT_INFORMATION =
            self.query(job::JobObjectExtendedLimitInformation)?;
        Ok(limits.PeakJobMemoryUsed as u64)
    }

    /// The numbers of its processes.
    pub(super) fn processes(&self) -> Vec<u32> {
        #[repr(C)]
        struct List {
            assigned: u32,
            listed: u32,
            ids: [usize; MOST],
        }
        let list = self.query::<List>(job::JobObjectBasicProcessIdList);
        list.map_or_else(
            |_| Vec::new(),
            |list| {
                let ids = list.ids.iter().take(list.listed as usize);
                ids.map(|&id| id as u32).collect()
            },
        )
    }
}

/// Lets a process run that was suspended, or suspends it.
pub(super) fn set_running(process: &impl AsRawHandle, runs: bool) {
    // SAFETY: it is open.
    let _ = unsafe {
        match runs {
            true => NtResumeProcess(process.as_raw_handle()),
            false => NtSuspendProcess(process.as_raw_handle()),
        }
    };
}

/// The process of this number, to be suspended or looked at.
pub(super) fn process(id: u32) -> io::Result<OwnedHandle> {
    let rights = PROCESS_SUSPEND_RESUME | PROCESS_QUERY_LIMITED_INFORMATION;
    // SAFETY: it has no pointers.
    owned(unsafe { OpenProcess(rights, FALSE, id) })
}

/// The bytes of memory that a process has in use.
pub(super) fn memory(process: &OwnedHandle) -> io::Result<u64> {
    // SAFETY: the structure is numbers that may all be 0, and is given with its size.
    unsafe {
        let mut found: PROCESS_MEMORY_COUNTERS = zeroed();
        done(K32GetProcessMemoryInfo(
            process.as_raw_handle(),
            &raw mut found,
            size_of_val(&found) as u32,
        ))?;
        Ok(found.WorkingSetSize as u64)
    }
}

/// Has an interrupt that ends this process, such as the end of its window, raise this signal, and wait until the process
/// has ended by itself: for as long as the system waits.
pub(super) fn raise_at_end(signal: i32) -> io::Result<()> {
    static SIGNAL: AtomicI32 = AtomicI32::new(0);
    unsafe extern "system" fn at_event(event: u32) -> i32 {
        if [CTRL_C_EVENT, CTRL_BREAK_EVENT].contains(&event) {
            return FALSE;
        }
        let raised = signal_hook::low_level::raise(SIGNAL.load(Ordering::Relaxed));
        if raised.is_ok() {
            std::thread::sleep(Duration::MAX);
        }
        TRUE
    }
    SIGNAL.store(signal, Ordering::Relaxed);
    // SAFETY: the function is there as long as the process.
    done(unsafe { SetConsoleCtrlHandler(Some(at_event), TRUE) })
}

/// Whether a process of this number can be opened, or exists and may not be.
pub(super) fn exists(id: u32) -> bool {
    // SAFETY: it has no pointers.
    let opened = owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id) });
    opened.map_or_else(
        |error| error.kind() == io::ErrorKind::PermissionDenied,
        |_| true,
    )
}

/// How many bytes wait in a pipe.
///
/// # Errors
/// When its other end is closed ([`io::ErrorKind::BrokenPipe`]).
pub(super) fn waiting(pipe: &File) -> io::Result<usize> {
    let mut count = 0;
    // SAFETY: the only pointer is to a number of our own.
    done(unsafe {
        PeekNamedPipe(
            pipe.as_raw_handle(),
            null_mut(),
            0,
            null_mut(),
            &raw mut count,
            null_mut(),
        )
    })?;
    Ok(count as usize)
}

/// The numbers of a file's disk and of the file on it.
pub(super) fn file_numbers(file: &File) -> io::Result<(u64, u64)> {
    // SAFETY: the structure is numbers that may all be 0.
    unsafe {
        let mut found: BY_HANDLE_FILE_INFORMATION = zeroed();
        done(GetFileInformationByHandle(
            file.as_raw_handle(),
            &raw mut found,
        ))?;
        let file = u64::from(found.nFileIndexHigh) << 32 | u64::from(found.nFileIndexLow);
        Ok((found.dwVolumeSerialNumber.into(), file))
    }
}

/// Locks the last byte that a file can have: what is locked here, others can neither read nor write.
pub(super) fn try_lock(file: &File, exclusive: bool) -> Result<(), TryLockError> {
    let alone = if exclusive {
        LOCKFILE_EXCLUSIVE_LOCK
    } else {
        0
    };
    // SAFETY: the structure is numbers and a handle that may all be 0, and is not used when the call has returned: the
    // file was not opened for overlapped work.
    let locked = done(unsafe {
        let mut place: OVERLAPPED = zeroed();
        place.Anonymous.Anonymous.Offset = u32::MAX - 1;
        place.Anonymous.Anonymous.OffsetHigh = i32::MAX.cast_unsigned();
        let flags = LOCKFILE_FAIL_IMMEDIATELY | alone;
        LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place)
    });
    locked.map_err(|error| {
        let is_held = error.raw_os_error() == Some(ERROR_LOCK_VIOLATION.cast_signed());
        if is_held {
            TryLockError::WouldBlock
        } else {
            TryLockError::Error(error)
        }
    })
}

/// The bytes that this user may still write on the disk of a folder.
pub(super) fn free_space(folder: &Path) -> io::Result<u64> {
    let name: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the name ends with 0, and the other pointer is to a number of our own.
    done(unsafe { GetDiskFreeSpaceExW(name.as_ptr(), &raw mut free, null_mut(), null_mut()) })?;
    Ok(free)
}

/// Has waits end within a millisecond of their time instead of 16.
pub(super) fn wake_in_time() {
    // SAFETY: it has no pointers.
    let _ = unsafe { timeBeginPeriod(1) };
}
