//! The calls of Windows that the standard library lacks: jobs, suspended processes, what waits in a pipe, files' numbers.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::zeroed;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::Duration;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, GetDiskFreeSpaceExW, GetFileInformationByHandle,
};
use windows_sys::Win32::System::JobObjects as job;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SUSPEND_RESUME,
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

/// The process of this number, to be suspended.
pub(super) fn process(id: u32) -> io::Result<OwnedHandle> {
    // SAFETY: it has no pointers.
    owned(unsafe { OpenProcess(PROCESS_SUSPEND_RESUME, 0, id) })
}

/// Whether a process of this number can be opened, or exists and may not be.
pub(super) fn exists(id: u32) -> bool {
    // SAFETY: it has no pointers.
    let opened = owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, id) });
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
